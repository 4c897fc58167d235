import { crc32, deflateSync } from 'node:zlib'

/** Pixels from the top left, four bytes each: red, green, blue, alpha. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array }

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BITS = 8
const RGBA = 6

/** A PNG (ISO/IEC 15948) of these pixels. Charts have few colours, so rows without a filter compress well. */
export function pngOf({ width, height, data }: Pixels): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([BITS, RGBA], 8)
  const rowBytes = width * 4
  const rows = Buffer.alloc((rowBytes + 1) * height)
  for (let y = 0; y < height; y += 1)
    rows.set(data.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1)
  const image = deflateSync(rows, { level: 9 })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', image),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
