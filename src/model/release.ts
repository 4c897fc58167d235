/** The store's date of the newest version of an app. */
export type Release = {
  /** Null: the store names no version, such as one that differs by device. */
  readonly version: string | null
  readonly releasedAt: Date
}

const VERSION_CHARS_MAX = 100

/** Null without a usable date. The version comes from the store and may be any text. */
export function releaseOf(version: string | null, releasedAt: Date | null): Release | null {
  if (releasedAt === null || Number.isNaN(releasedAt.getTime()) || releasedAt.getTime() <= 0) return null
  return { version: version === null ? null : version.slice(0, VERSION_CHARS_MAX), releasedAt }
}

/** Identifies a release of an app. Storefronts may differ by hours in its date, so one without a version is identified by its day. */
export function releaseKeyOf({ version, releasedAt }: Release): string {
  return version ?? releasedAt.toISOString().slice(0, 10)
}
