/** Why a reply cannot be sent at all; null when it can. Both stores count characters, here code points. */
export function replyProblem(text: string, charsMax: number, storeName: string): string | null {
  if (text.trim() === '') return 'The reply is empty.'
  const chars = [...text].length
  if (chars <= charsMax) return null
  return `The reply has ${chars} characters; ${storeName} accepts at most ${charsMax}.`
}
