import { globSync } from 'node:fs'

/**
 * A file that starts a server, a process, a database server or the language model is an integration test: `*.integration.test.ts`, or
 * anything in `test/e2e`, `test/crash`, `test/fuzz` and `test/simulation`.
 */
const INTEGRATION = [
  'test/simulation/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'src/**/*.integration.test.ts',
  'packages/**/*.integration.test.ts',
  'test/*.integration.test.ts',
  'test/e2e/**/*.test.ts',
]
const UNIT = [
  'src/**/*.test.ts',
  'packages/**/*.test.ts',
  'integrations/test/unit/*.test.ts',
  'console/{components,data,forms,util}/**/*.test.ts',
  'scripts/tests/*.test.ts',
  'test/*.test.ts',
]

/** All test files, relative to `root`. */
export function readTestFiles(root: string): { readonly integration: string[]; readonly unit: string[] } {
  const integration = INTEGRATION.flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
  const unit = UNIT.flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
  return { integration, unit: unit.filter((file) => !integration.includes(file)) }
}
