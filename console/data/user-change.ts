const listeners = new Set<() => void>()

/** For what a module keeps outside of the query client, which the next user must not get. */
export function onUserChange(forget: () => void): void {
  listeners.add(forget)
}

export function userChanged(): void {
  for (const forget of listeners) forget()
}
