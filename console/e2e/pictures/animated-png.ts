import { crc32 } from 'node:zlib'

/** One picture of an animation. All PNGs must have the same size and colour type. */
export type Frame = { readonly png: Buffer; readonly shownMs: number }

type Chunk = { readonly type: string; readonly data: Buffer }

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Joins PNG files to an animated PNG (PNG specification, third edition, section 11.3.6), which repeats forever. The compressed data of the
 * files is copied, so nothing is decoded.
 */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('an animation needs a frame')
  const header = chunksOf(first.png).find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  let sequence = 0
  const body = frames.flatMap(({ png, shownMs }, index) => {
    const chunks = chunksOf(png)
    const own = chunks.find(({ type }) => type === 'IHDR')?.data
    if (own === undefined || !own.equals(header)) throw new Error('the frames differ in size or colours')
    const control = Buffer.alloc(26)
    control.writeUInt32BE(sequence++, 0)
    control.writeUInt32BE(width, 4)
    control.writeUInt32BE(height, 8)
    control.writeUInt16BE(shownMs, 20)
    control.writeUInt16BE(1_000, 22)
    const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data))
    // The first frame is also what programs without animations show.
    if (index === 0) return [chunk('fcTL', control), chunk('IDAT', data)]
    return [chunk('fcTL', control), chunk('fdAT', Buffer.concat([uint32(sequence++), data]))]
  })
  const animation = chunk('acTL', Buffer.concat([uint32(frames.length), uint32(0)]))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), animation, ...body, chunk('IEND', Buffer.alloc(0))])
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
