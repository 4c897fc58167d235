/** `GET /api/console/status`: what does not work at present, each cause once, worst first. */
export type StatusView = {
  readonly account: readonly IncidentView[]
  /** Null for users who do not operate the installation. */
  readonly installation: readonly IncidentView[] | null
}

/** Its texts are sentences. */
export type IncidentView = {
  /** A `problem` requires action; a `note` is for information. */
  readonly grade: 'problem' | 'note'
  /** The same while the cause lasts, and unique in its list. */
  readonly key: string
  readonly what: string
  readonly since: string | null
  readonly effect: string | null
  /** What the service does about it. */
  readonly handling: string | null
  /** What a person should do. */
  readonly action: string | null
  /** Where: a path of the console, with its query. */
  readonly page: string | null
}
