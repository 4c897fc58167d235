import { z } from 'zod'
import { isTimeZone } from '../../model/days.ts'

/** The viewer's time zone; reports count by its days. */
export const ZoneParam = z
  .string()
  .refine(isTimeZone, 'zone: a name of the IANA time zone database, such as Europe/Berlin')
  .default('UTC')
