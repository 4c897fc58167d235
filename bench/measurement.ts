import type { BenchEngine, EngineName } from './engines.ts'
import type { Figure } from './figures.ts'

export type Options = {
  /** A short run to check that everything works. Its figures are not comparable. */
  readonly short: boolean
  readonly engines: readonly EngineName[]
  /** The folder of the service's CPU profiles; null for none. */
  readonly profileFolder: string | null
}

export type Bench = {
  readonly options: Options
  /** An empty database of this engine, deleted at the end of the measurement. */
  readonly engine: (name: EngineName) => Promise<BenchEngine>
  /** An empty folder, deleted at the end of the measurement. */
  readonly folder: () => Promise<string>
  readonly log: (line: string) => void
  readonly report: (figure: Figure) => void
}

export type Measurement = {
  readonly name: string
  readonly about: string
  readonly run: (bench: Bench) => Promise<void>
}
