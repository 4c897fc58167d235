import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

/** Imports the service in a process of its own, and prints what it loaded needlessly. */
const PROGRAM = `
const found = []
for (const name of Object.getOwnPropertyNames(Intl)) {
  if (typeof Intl[name] !== 'function' || Intl[name].prototype === undefined) continue
  Intl[name] = new Proxy(Intl[name], {
    construct(target, values) {
      found.push(new Error('new Intl.' + name).stack)
      return new target(...values)
    },
  })
}
for (const { prototype } of [Number, Date]) {
  const { toLocaleString } = prototype
  prototype.toLocaleString = function (...values) {
    found.push(new Error('toLocaleString').stack)
    return toLocaleString.apply(this, values)
  }
}
await import(${JSON.stringify(new URL('./service.ts', import.meta.url).href)})
if (process.moduleLoadList.includes('NativeModule internal/deps/undici/undici')) found.push("Node's own undici, as after an import of node:http")
console.log(JSON.stringify(found))
process.exit()
`

test("the modules of the service create no object of Intl and do not load Node's own fetch", () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    encoding: 'utf8',
  })
  assert.deepEqual(JSON.parse(printed), [])
})
