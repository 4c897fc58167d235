import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Prints the profiles of `--profile FOLDER`: self time and total time by function. `node bench/profile.ts FOLDER [rows]` */

type Node = {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}
type Profile = {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const [folder = '.', rows = '40'] = process.argv.slice(2)
for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
  print(file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile, Number(rows))
}

function print(file: string, profile: Profile, rowsMax: number): void {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)),
  )
  const selfTimes = new Map<string, number>()
  const totals = new Map<string, number>()
  let busyUs = 0
  profile.samples.forEach((id, index) => {
    const us = profile.timeDeltas[index] ?? 0
    const name = nameOf(nodes.get(id))
    if (name === '(idle)' || name === '(program)') return
    busyUs += us
    selfTimes.set(name, (selfTimes.get(name) ?? 0) + us)
    const ancestors = new Set<string>()
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at))
      ancestors.add(nameOf(nodes.get(at)))
    for (const each of ancestors) totals.set(each, (totals.get(each) ?? 0) + us)
  })
  process.stdout.write(`\n${file}: ${(busyUs / 1e6).toFixed(1)} s busy\n`)
  for (const [title, times] of [
    ['self', selfTimes],
    ['total', totals],
  ] as const) {
    process.stdout.write(`\n${title}\n`)
    for (const [name, us] of [...times].sort((a, b) => b[1] - a[1]).slice(0, rowsMax)) {
      process.stdout.write(`${((us / busyUs) * 100).toFixed(1).padStart(6)} %  ${name}\n`)
    }
  }
}

function nameOf(node: Node | undefined): string {
  if (node === undefined) return '?'
  const { functionName, url, lineNumber } = node.callFrame
  const place = url.replace(/^file:\/\//, '').replace(/^.*\/(src|node_modules)\//, '$1/')
  return `${functionName || '(anonymous)'}${place === '' ? '' : ` ${place}:${lineNumber + 1}`}`
}
