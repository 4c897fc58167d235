/** The type without `readonly`, with intersections merged. */
type Plain<T> = T extends readonly (infer Element)[]
  ? Plain<Element>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T

/**
 * `true` if both types have the same keys, optional keys and value types, ignoring `readonly`. For compile-time tests:
 * `const same: SameType<A, B> = true`.
 */
export type SameType<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false
