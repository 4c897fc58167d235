/**
 * What the encoder reads: the stars (`☆` when hidden), the name of the app where it is known, the text. Training makes the same, see
 * train/text.py.
 */
export function inputText({
  text,
  rating,
  appName,
}: {
  readonly text: string
  readonly rating: number | null
  readonly appName: string | null
}): string {
  const stars = rating === null ? '☆' : `★${rating}`
  return appName === null || appName === '' ? `${stars} ${text}` : `${stars} ${appName} | ${text}`
}
