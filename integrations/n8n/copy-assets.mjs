import { cpSync } from 'node:fs'
import { join } from 'node:path'

/** Copies what the compiler does not: icons and the descriptions of the nodes for n8n's search. */
const source = import.meta.dirname
cpSync(join(source, 'nodes'), join(source, 'dist/nodes'), {
  recursive: true,
  filter: (path) => !/\.ts$/.test(path),
})
cpSync(join(source, 'icons'), join(source, 'dist/icons'), { recursive: true })
