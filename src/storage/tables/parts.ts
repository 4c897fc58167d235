import type { Storage } from '../port/storage.ts'
import type { Db } from '../work.ts'
import { accountStorage } from './people/accounts.ts'
import { peopleStorage } from './people/people.ts'
import { replyTemplateStorage } from './people/reply-templates.ts'

/** The parts of storage that both engines share. */
export function sharedParts(db: Db) {
  return {
    accounts: accountStorage(db),
    people: peopleStorage(db),
    replyTemplates: replyTemplateStorage(db),
  } satisfies Partial<Storage>
}
