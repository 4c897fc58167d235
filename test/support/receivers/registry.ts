import { BODY_RECEIVERS } from './bodies.ts'
import { BROKEN_RECEIVERS } from './broken.ts'
import { NAME_RECEIVERS } from './names.ts'
import type { Receiver } from './receiver.ts'
import { STATUS_RECEIVERS } from './statuses.ts'
import { TLS_RECEIVERS } from './tls.ts'

/**
 * All hostile receivers with their expected results. Use them with the timeout, DNS and certificate authority of this
 * folder, and with a guard that allows 127.0.0.0/8.
 */
export const RECEIVERS: readonly Receiver[] = [
  ...STATUS_RECEIVERS,
  ...BROKEN_RECEIVERS,
  ...BODY_RECEIVERS,
  ...TLS_RECEIVERS,
  ...NAME_RECEIVERS,
]
