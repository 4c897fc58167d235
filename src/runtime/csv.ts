/**
 * The records of a part of a CSV file (RFC 4180: commas or another separator, double quotes, line ends inside quotes), with their positions
 * in bytes, so that a file can be read in parts of a fixed size.
 */

export type CsvEncoding = 'utf-16le' | 'utf-8'

export type CsvRecord = {
  readonly fields: readonly string[]
  /** False for a quote in a field without quotes, text after a closing quote, and a quote that is not closed. */
  readonly wellFormed: boolean
  /** Bytes of the part up to the end of this record. */
  readonly endsAt: number
}

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The encoding of a file by its first bytes, and the length of its byte order mark. Google writes UTF-16, seldom UTF-8. */
export function encodingOf(start: Buffer): { readonly encoding: CsvEncoding; readonly markBytes: number } {
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 }
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 }
  return { encoding: 'utf-8', markBytes: 0 }
}

/**
 * The complete records of `part`, which starts at a record. `isLast` says that the file ends here, so that a record without a line end
 * counts. Returns the bytes up to the first incomplete record. The ASCII characters that matter have the same code in both encodings and,
 * in UTF-8, no byte of another character is one of them.
 */
export function* recordsOf(
  part: Buffer,
  encoding: CsvEncoding,
  isLast: boolean,
  separator = ',',
): Generator<CsvRecord, number> {
  const step = encoding === 'utf-16le' ? 2 : 1
  let start = 0
  let quoted = false
  for (let index = 0; index + step <= part.length; index += step) {
    const code = step === 2 ? part.readUInt16LE(index) : part[index]
    if (code === QUOTE) quoted = !quoted
    else if (!quoted && (code === LINE_FEED || code === CARRIAGE_RETURN)) {
      // A line feed after a carriage return gives an empty record, which is left out.
      if (index > start) yield recordOf(textOf(part, start, index, encoding), index + step, separator)
      start = index + step
    }
  }
  if (!isLast) return start
  if (part.length > start) yield recordOf(textOf(part, start, part.length, encoding), part.length, separator)
  return part.length
}

function textOf(part: Buffer, start: number, end: number, encoding: CsvEncoding): string {
  return part.toString(encoding === 'utf-16le' ? 'utf16le' : 'utf8', start, end)
}

function recordOf(record: string, endsAt: number, separator: string): CsvRecord {
  const fields: string[] = []
  let wellFormed = true
  let at = 0
  for (;;) {
    let next: number
    if (record[at] === '"') {
      let value = ''
      let from = at + 1
      let end = record.indexOf('"', from)
      while (end >= 0 && record[end + 1] === '"') {
        value += record.slice(from, end + 1)
        from = end + 2
        end = record.indexOf('"', from)
      }
      const stop = end < 0 ? record.length : end
      next = record.indexOf(separator, stop)
      const rest = record.slice(stop + 1, next < 0 ? record.length : next)
      fields.push(value + record.slice(from, stop) + rest)
      wellFormed &&= end >= 0 && rest === ''
    } else {
      next = record.indexOf(separator, at)
      const field = record.slice(at, next < 0 ? record.length : next)
      fields.push(field)
      wellFormed &&= !field.includes('"')
    }
    if (next < 0) return { fields, wellFormed, endsAt }
    at = next + 1
  }
}
