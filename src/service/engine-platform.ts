import { StartupError } from './startup-error.ts'

/**
 * onnxruntime has binaries for Linux with glibc only. Throws `StartupError` on another Linux, where the engine would fail again and again
 * behind a service that responds.
 */
export function checkEngineRuns(platform: NodeJS.Platform = process.platform, glibc = glibcVersion()): void {
  if (platform !== 'linux' || glibc !== null) return
  throw new StartupError(
    'The language engine requires glibc. This system has another C library (Alpine has musl). Use an image with glibc, such as Debian, or set RADAR_ENRICHMENT=off to deliver reviews without enrichment.',
  )
}

/** The version of the C library that this process runs with; null unless it is glibc. Takes 10 ms. */
function glibcVersion(): string | null {
  const { header } = process.report.getReport() as { readonly header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime ?? null
}
