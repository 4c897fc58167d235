/** As a caller may use it: without `readonly`, and intersections as one object. */
type Plain<T> = T extends readonly (infer Element)[]
  ? Plain<Element>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T

/**
 * `true` when both types are the same, `readonly` apart: no more and no less keys, optional ones and values included.
 * For tests that the compiler runs: `const same: SameType<A, B> = true`.
 */
export type SameType<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false
