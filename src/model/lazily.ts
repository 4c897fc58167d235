/**
 * Returns the value of `create`, which runs at the first call. For objects of `Intl`: the first one maps 6 MiB of data, which an idle
 * service does not need.
 */
export function lazily<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= create()
    return value
  }
}
