/** Finds Node 24. Plain JavaScript that any Node from 18 runs. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const NODE_MAJOR_MIN = 24
export const isNewEnough = Number(process.version.slice(1).split('.', 1)[0]) >= NODE_MAJOR_MIN
export const NO_NODE = `needs Node ${NODE_MAJOR_MIN}; this is ${process.version}, and no npm package with it is installed. Run "npm ci" in ${dirname(dirname(fileURLToPath(import.meta.url)))}, or start it with Node ${NODE_MAJOR_MIN}.\n`

const require = createRequire(import.meta.url)

/** The binary of Node that npm installed beside us or above us, in the package for this platform; null when there is none. */
export function nodeOfPackages() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  try {
    const manifest = require.resolve(`node-${platform}-${process.arch}/package.json`)
    const node = join(dirname(manifest), require(manifest).bin.node)
    return existsSync(node) ? node : null
  } catch {
    return null
  }
}
