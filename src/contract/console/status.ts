import type { Incident } from '../../model/incident.ts'

/** `GET /api/console/status`: what does not work at present, each cause once, worst first. */
export type StatusView = {
  readonly account: readonly IncidentView[]
  /** Null for users who do not operate the installation. */
  readonly installation: readonly IncidentView[] | null
}

export type IncidentView = Omit<Incident, 'since'> & { readonly since: string | null }
