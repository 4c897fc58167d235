import { storableText } from '../../model/storable-text.ts'

/** Bytes of an answer of an unknown format that are stored for the operator. */
export const RAW_BYTES_MAX = 64 * 1024

/** At most 64 KiB of an answer in UTF-8, without a partial character at the end. */
export function rawAnswer(text: string): string {
  // A character has at least one byte, so this slice is long enough.
  const kept = Buffer.from(storableText(text.slice(0, RAW_BYTES_MAX)))
    .subarray(0, RAW_BYTES_MAX)
    .toString('utf8')
  let end = kept.length
  while (kept[end - 1] === '\uFFFD') end -= 1
  return kept.slice(0, end)
}
