import type { BenchEngine, EngineName } from './engines.ts'
import type { Figure } from './figures.ts'

export type Options = {
  /** Smaller and sooner done: to see that everything runs, not to quote. */
  readonly short: boolean
  readonly engines: readonly EngineName[]
  /** Where the service's CPU profiles go; null for none. */
  readonly profileFolder: string | null
}

export type Bench = {
  readonly options: Options
  /** An empty database of this engine, with everything gone at the end of the measurement. */
  readonly engine: (name: EngineName) => Promise<BenchEngine>
  /** An empty folder that is gone at the end of the measurement. */
  readonly folder: () => Promise<string>
  readonly say: (line: string) => void
  readonly found: (figure: Figure) => void
}

export type Measurement = {
  readonly name: string
  readonly about: string
  readonly run: (bench: Bench) => Promise<void>
}
