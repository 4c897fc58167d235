import type { CommandEntry } from './command.ts'

/** Every command, in the order of `radar help`. A command is loaded when it is called. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: 'Run the service.',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  demo: {
    summary: 'Run an offline demo: simulated stores, the service and a receiver.',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  simulate: {
    summary: 'Run the two stores as local servers, for development.',
    load: async () => (await import('./commands/simulate.ts')).simulate,
  },
  listen: {
    summary: 'Show new events in the terminal and forward them to a program.',
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  events: {
    summary: 'Print, follow and forward the events of your hooks.',
    load: async () => (await import('./commands/events.ts')).events,
  },
  reviews: {
    summary: 'Print stored reviews.',
    load: async () => (await import('./commands/reviews.ts')).reviews,
  },
  erase: {
    summary: 'Erase the texts of reviews for good.',
    load: async () => (await import('./commands/erase.ts')).erase,
  },
  'store connect': {
    summary: 'Connect App Store Connect or Google Play.',
    load: async () => (await import('./commands/store-connect.ts')).storeConnect,
  },
  'store list': {
    summary: 'List store connections and the apps that they can access.',
    load: async () => (await import('./commands/store-connections.ts')).storeList,
  },
  'store test': {
    summary: 'Test a store connection.',
    load: async () => (await import('./commands/store-connections.ts')).storeTest,
  },
  'store use': {
    summary: 'Get the reviews of an app from a connected store.',
    load: async () => (await import('./commands/store-apps.ts')).storeUse,
  },
  'store leave': {
    summary: 'Get the reviews of an app from the public pages again.',
    load: async () => (await import('./commands/store-apps.ts')).storeLeave,
  },
  'store replace-key': {
    summary: 'Replace the key of a store connection.',
    load: async () => (await import('./commands/store-connect.ts')).storeReplaceKey,
  },
  'store history': {
    summary: 'Import all reviews that a connected store has, and show the progress.',
    load: async () => (await import('./commands/store-history.ts')).storeHistory,
  },
  'store remove': {
    summary: 'Remove a store connection.',
    load: async () => (await import('./commands/store-connections.ts')).storeRemove,
  },
  apply: {
    summary: 'Make hooks and tracked apps match a file.',
    load: async () => (await import('./commands/apply.ts')).apply,
  },
  mcp: {
    summary: 'Serve the Model Context Protocol for an assistant on this machine.',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  migrate: {
    summary: 'Update the database schema, or move the database to PostgreSQL.',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  'account create': {
    summary: 'Create an account with its owner.',
    load: async () => (await import('./commands/account-create.ts')).accountCreate,
  },
  'user reset-password': {
    summary: 'Print a link that lets a user set a new password.',
    load: async () => (await import('./commands/user-reset-password.ts')).userResetPassword,
  },
  'user reset-second-factor': {
    summary: 'Remove the second factor of a user who lost it.',
    load: async () => (await import('./commands/user-reset-second-factor.ts')).userResetSecondFactor,
  },
  'account delete': {
    summary: 'Delete an account and everything that belongs to it.',
    load: async () => (await import('./commands/account-delete.ts')).accountDelete,
  },
  'account list': {
    summary: 'List accounts.',
    load: async () => (await import('./commands/account-list.ts')).accountList,
  },
  'token create': {
    summary: 'Create an API token and print it once.',
    load: async () => (await import('./commands/token-create.ts')).tokenCreate,
  },
  'token list': {
    summary: 'List API tokens.',
    load: async () => (await import('./commands/token-list.ts')).tokenList,
  },
  'token revoke': {
    summary: 'Revoke an API token.',
    load: async () => (await import('./commands/token-revoke.ts')).tokenRevoke,
  },
  'hooks list': {
    summary: 'List hooks.',
    load: async () => (await import('./commands/hooks-list.ts')).hooksList,
  },
  'hooks retry': {
    summary: 'Attempt the pending deliveries of a hook now.',
    load: async () => (await import('./commands/hooks-retry.ts')).hooksRetry,
  },
  'hooks recover': {
    summary: 'Replay the events that a hook has lost since a given time.',
    load: async () => (await import('./commands/hooks-recover.ts')).hooksRecover,
  },
  'dead list': {
    summary: 'List dead letters.',
    load: async () => (await import('./commands/dead-list.ts')).deadList,
  },
  'dead replay': {
    summary: 'Queue dead letters again.',
    load: async () => (await import('./commands/dead-replay.ts')).deadReplay,
  },
  'dead replays': {
    summary: 'List bulk replays and their progress.',
    load: async () => (await import('./commands/dead-replays.ts')).deadReplays,
  },
  'dead pause': {
    summary: 'Pause a bulk replay.',
    load: async () => (await import('./commands/dead-set-status.ts')).deadPause,
  },
  'dead resume': {
    summary: 'Resume a paused bulk replay.',
    load: async () => (await import('./commands/dead-set-status.ts')).deadResume,
  },
  'dead cancel': {
    summary: 'Cancel a bulk replay.',
    load: async () => (await import('./commands/dead-set-status.ts')).deadCancel,
  },
  'dead discard': {
    summary: 'Resolve dead letters without sending them.',
    load: async () => (await import('./commands/dead-discard.ts')).deadDiscard,
  },
  'dead export': {
    summary: 'Print dead letters with their payloads, as JSON lines.',
    load: async () => (await import('./commands/dead-export.ts')).deadExport,
  },
  quarantine: {
    summary: 'Print quarantined rows of store pages, as JSON lines.',
    load: async () => (await import('./commands/quarantine.ts')).quarantine,
  },
  enrich: {
    summary: 'Queue stored reviews for enrichment again.',
    load: async () => (await import('./commands/enrich.ts')).enrich,
  },
  'check-store': {
    summary: 'Request each public source of an app once, and check the format of its response.',
    load: async () => (await import('./commands/check-store.ts')).checkStoreCommand,
  },
  doctor: {
    summary: 'Check the installation and say what to do.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  config: {
    summary: 'Show the effective settings.',
    load: async () => (await import('./commands/config.ts')).showConfig,
  },
  backup: {
    summary: 'Copy the database to a file while the service runs.',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    summary: 'Replace the database by a backup.',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  completion: {
    summary: 'Print a script that completes commands in bash, zsh or fish.',
    load: async () => (await import('./commands/completion.ts')).completionOf(COMMANDS),
  },
}
