import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/**
 * `npm run release -- X.Y.Z` checks that a release is possible, writes its version and date to package.json, package-lock.json and
 * CHANGELOG.md in the current folder, writes the list of its npm packages (SBOM), and prints the next git commands. It does not commit.
 * With `--dry-run` it does not write. It exits with status 1 and lists all problems, or 2 for wrong usage.
 */

const USAGE = 'usage: npm run release -- X.Y.Z [--dry-run]\n'
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/
const UNRELEASED = /^## \[?Unreleased\]?\n/m
const RELEASE = /^## \[?(\d+\.\d+\.\d+)\]? - \d{4}-\d{2}-\d{2}$/m
/** The commands to run before a release. The script only prints them, because they take minutes. */
const TESTS = ['npm run types', 'npm run lint', 'npm test', 'npm run test:console']

type Files = { readonly manifest: string; readonly lock: string; readonly changelog: string }

const args = arguments_()
if (args === null) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else release(args.version, args.dryRun)

function arguments_(): { readonly version: string; readonly dryRun: boolean } | null {
  try {
    const { values, positionals } = parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [version, ...more] = positionals
    if (version === undefined || more.length > 0 || !VERSION.test(version)) return null
    return { version, dryRun: values['dry-run'] }
  } catch {
    return null
  }
}

function release(version: string, dryRun: boolean): void {
  const files: Files = {
    manifest: readFileSync('package.json', 'utf8'),
    lock: readFileSync('package-lock.json', 'utf8'),
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
  }
  const problems = problemsOf(files, version)
  if (problems.length > 0) {
    process.stderr.write(`${version} cannot be released:\n${problems.map((each) => `- ${each}\n`).join('')}`)
    process.exitCode = 1
    return
  }
  const today = new Date().toISOString().slice(0, 10)
  const stamped = stampedFiles(files, version, today)
  const sbom = `review-radar-${version}.cdx.json`
  if (!dryRun) {
    writeFileSync('package.json', stamped.manifest)
    writeFileSync('package-lock.json', stamped.lock)
    writeFileSync('CHANGELOG.md', stamped.changelog)
    writeFileSync(sbom, sbomOfLock())
  }
  process.stdout.write(
    `${dryRun ? 'Would stamp' : 'Stamped'} ${version} (${today}) in package.json, package-lock.json and CHANGELOG.md.\n` +
      `${dryRun ? 'Would write' : 'Wrote'} ${sbom}, to publish beside the package.\n\n` +
      `These must have passed on this commit:\n${TESTS.map((each) => `  ${each}\n`).join('')}\n` +
      'Then:\n' +
      '  git add package.json package-lock.json CHANGELOG.md\n' +
      `  git commit -m "chore(release): ${version}"\n` +
      `  git tag -a v${version} -m "Review Radar ${version}"\n`,
  )
}

/**
 * CycloneDX, from the lock file in the current folder: every package with checksum and license. Those for development are marked and
 * stay: the console's bundle is made of some, and npm's `--omit=dev` also leaves out others that we need, such as zod and pg.
 */
function sbomOfLock(): string {
  // The environment may leave some out, as NODE_ENV=production does.
  const all = ['dev', 'optional', 'peer'].map((kind) => `--include=${kind}`)
  const words = ['sbom', '--package-lock-only', ...all, '--sbom-format=cyclonedx', '--sbom-type=application']
  const sbom = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 }))
  // npm writes the name of the folder.
  sbom.metadata.component.name = 'review-radar'
  return `${JSON.stringify(sbom, null, 2)}\n`
}

/** The problems that prevent the release, one sentence each. */
function problemsOf({ manifest, lock, changelog }: Files, version: string): string[] {
  const problems: string[] = []
  const current: string = JSON.parse(manifest).version
  const locked = JSON.parse(lock)
  if (!isGreater(version, current))
    problems.push(`package.json has version ${current}; the release needs a greater one.`)
  if (locked.version !== current || locked.packages?.['']?.version !== current)
    problems.push(`package-lock.json does not have version ${current} of package.json; run npm install.`)
  const newest = RELEASE.exec(changelog)?.[1]
  if (newest !== undefined && newest !== current)
    problems.push(`CHANGELOG.md has ${newest} as its newest release, package.json has ${current}.`)
  const entries = unreleasedOf(changelog)
  if (entries === null) problems.push('CHANGELOG.md has no section "## Unreleased".')
  else if (!/^- /m.test(entries)) problems.push('CHANGELOG.md has no entry under "## Unreleased".')
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trim()
  if (changed !== '')
    problems.push(`The working tree is not clean; commit or remove: ${changed.split(/\s*\n\s*/).join(', ')}.`)
  return problems
}

/** The content of "Unreleased", or null without that section. */
function unreleasedOf(changelog: string): string | null {
  const heading = UNRELEASED.exec(changelog)
  if (heading === null) return null
  return changelog.slice(heading.index + heading[0].length).split(/^(?:## |\[)/m, 1)[0] ?? ''
}

function isGreater(version: string, than: string): boolean {
  const left = version.split('.').map(Number)
  const right = than.split('.').map(Number)
  const at = left.findIndex((part, index) => part !== right[index])
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0)
}

/** The files with the new version and date. The texts are edited, not rewritten, so that nothing else changes. */
function stampedFiles({ manifest, lock, changelog }: Files, version: string, date: string): Files {
  const current: string = JSON.parse(manifest).version
  const field = `"version": "${current}"`
  const stampedField = `"version": "${version}"`
  const first = lock.indexOf(field)
  const second = lock.indexOf(field, first + 1)
  return {
    manifest: manifest.replace(field, stampedField),
    lock:
      lock.slice(0, first) +
      stampedField +
      lock.slice(first + field.length, second) +
      stampedField +
      lock.slice(second + field.length),
    changelog: linked(
      changelog.replace(UNRELEASED, (heading) => {
        const name = heading.includes('[') ? `[${version}]` : version
        return `${heading}\n## ${name} - ${date}\n`
      }),
      version,
    ),
  }
}

/** Updates the link references, if the file has any: "Unreleased" compares with the new version, which gets its own link. */
function linked(changelog: string, version: string): string {
  return changelog.replace(
    /^\[unreleased\]: (\S+)\/compare\/v(\S+?)\.\.\.HEAD$/im,
    (_, base: string, before: string) =>
      `[Unreleased]: ${base}/compare/v${version}...HEAD\n[${version}]: ${base}/compare/v${before}...v${version}`,
  )
}
