import { anyText, baseUrl } from './parse.ts'
import { setting } from './setting.ts'

/** Settings of the commands that are clients. The service ignores them. */
export const LISTEN_SETTINGS = {
  RADAR_URL: setting('url', baseUrl, 'http://127.0.0.1:8080', 'URL of the service.'),
  RADAR_TOKEN: setting('token', anyText, null, 'An API token of the account that subscribes or reads.', {
    secret: true,
  }),
  RADAR_LISTEN_SECRET: setting(
    'secret',
    anyText,
    null,
    'The secret of an existing hook, with which the receiver of `radar listen` verifies and `--forward` signs.',
    { secret: true },
  ),
} as const
