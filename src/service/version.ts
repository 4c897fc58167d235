import about from '../../package.json' with { type: 'json' }

/** The running version, as in package.json. */
export const VERSION: string = about.version
