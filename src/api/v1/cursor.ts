import { ApiError } from '../errors.ts'

export function badCursor(): ApiError {
  return new ApiError('invalid', 'cursor must be `next_cursor` of the previous page.')
}

/** A cursor of two numbers. Throws 400 for an invalid text. */
export function numbersOf(cursor: string): readonly [number, number] {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor)
  if (match === null) throw badCursor()
  return [Number(match[1]), Number(match[2])]
}

/** A cursor of one number. Throws 400 for an invalid text. */
export function numberOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw badCursor()
  return Number(cursor)
}
