import { SOURCE_COLUMNS, type SourceRow } from '../sources/source-rows.ts'
import type { NativeSteps } from '../tables/native-steps.ts'
import { native, type Work } from '../work.ts'
import type { Connection } from './connect.ts'
import { leaveSource } from './feeds/review-sources.ts'

const step = <T>(act: (db: Connection) => T): Work<T> => native(act)

export const sqliteSteps: NativeSteps = {
  leaveSourcesOf: (connectionId, accountId, nowMs) =>
    step((db) => {
      const sources = db.all<SourceRow>(
        `select ${SOURCE_COLUMNS} from review_sources s where s.connection_id = ? and s.account_id = ?`,
        connectionId,
        accountId,
      )
      for (const source of sources) leaveSource(db, source, nowMs)
    }),
}
