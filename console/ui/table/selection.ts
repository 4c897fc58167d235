import { useState } from 'react'

/** The selected rows of a table, by their ids. */
export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly set: (selected: ReadonlySet<string>) => void
}

export function useSelection(): Selection {
  const [selected, set] = useState<ReadonlySet<string>>(new Set())
  return { selected, set }
}

/** The ids of the selected rows that the table still has, in its order. */
export function selectedIn<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  { selected }: Selection,
): string[] {
  return rows.map(idOf).filter((id) => selected.has(id))
}

export function selectionState(selection: Selection | undefined) {
  return {
    rowSelection: Object.fromEntries([...(selection?.selected ?? [])].map((id) => [id, true as const])),
  }
}
