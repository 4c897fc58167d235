import { createRequire } from 'node:module'
import type * as undici from 'undici'

/** The parts of undici that requests need, without those that its main module loads (docs/decisions.md, Only parts of undici). */
const require = createRequire(import.meta.url)

export const Agent: typeof undici.Agent = require('undici/lib/dispatcher/agent.js')
export const Client: typeof undici.Client = require('undici/lib/dispatcher/client.js')
export const Pool: typeof undici.Pool = require('undici/lib/dispatcher/pool.js')
export const errors: typeof undici.errors = require('undici/lib/core/errors.js')
