import { systemClock } from '../../runtime/clock.ts'
import { type Command, CommandFailed, numberOption } from '../command.ts'
import { stopSignals } from '../stop-signal.ts'

const PORT = 9090

export const simulate: Command = {
  about:
    'Runs the two stores as local servers with the real wire formats and synthetic users who write, edit and rate. It is for development: start the service with the settings that it prints.',
  options: {
    host: { value: 'ADDRESS', help: 'Address to listen on; 127.0.0.1 by default.' },
    port: { value: 'N', help: `Port of the App Store; Google Play is on the next one. ${PORT} by default.` },
    'reviews-per-minute': {
      value: 'N',
      help: 'In total for all apps, stores and storefronts; 20 by default.',
    },
    seed: { value: 'N', help: 'The same seed gives the same reviews; 1 by default.' },
  },
  async run({ out }, args) {
    const port = numberOption(args, 'port', 1, 65_534) ?? PORT
    const reviewsPerMinute = numberOption(args, 'reviews-per-minute', 1, 60_000) ?? 20
    const seed = numberOption(args, 'seed', 0, 999_999_999) ?? 1
    const [{ startSimulation }, { createWorld }, { startActivity }, { createLog }] = await Promise.all([
      import('../../simulate/server.ts'),
      import('../../simulate/world.ts'),
      import('../../simulate/activity.ts'),
      import('../../runtime/pino-log.ts'),
    ])
    using signals = stopSignals()
    const world = createWorld()
    const ends = new AbortController()
    const activity = startActivity(world, { clock: systemClock, reviewsPerMinute, seed, signal: ends.signal })
    try {
      await using simulation = await startSimulation({
        host: args.option('host') ?? '127.0.0.1',
        port,
        world,
        clock: systemClock,
        log: createLog('warn', process.stderr),
      }).catch((error: unknown) => {
        throw new CommandFailed(
          `The simulated stores cannot listen on the ports ${port} and ${port + 1}: ${error instanceof Error ? error.message : String(error)}. Choose others with --port N.`,
        )
      })
      out(`# Start the service with these settings:
export RADAR_APPLE_ITUNES_URL=${simulation.appleUrl}
export RADAR_APPLE_WEB_URL=${simulation.appleUrl}
export RADAR_GOOGLE_PLAY_URL=${simulation.googleUrl}
export RADAR_APP_STORE_CONNECT_URL=${simulation.appleUrl}
export RADAR_GOOGLE_PLAY_DEVELOPER_URL=${simulation.googleUrl}
export RADAR_GOOGLE_OAUTH_URL=${simulation.googleUrl} RADAR_GOOGLE_STORAGE_URL=${simulation.googleUrl}
export RADAR_REVIEWS_POLL_INTERVAL=2s RADAR_RATINGS_POLL_INTERVAL=2s
export RADAR_APPLE_REQUESTS_PER_MINUTE=6000 RADAR_GOOGLE_REQUESTS_PER_MINUTE=6000

# Apps: ${(['apple', 'google'] as const)
        .map((store) =>
          world
            .apps(store)
            .map((app) => `${store} ${app.appId} (${app.name})`)
            .join(', '),
        )
        .join(', ')}
# Credentials for their official APIs: curl -d '{"store":"apple"}' ${simulation.appleUrl}/simulate/connect
# All controls: curl ${simulation.appleUrl}/simulate
`)
      await signals.first
    } finally {
      ends.abort()
      await activity.done
    }
    return 0
  },
}
