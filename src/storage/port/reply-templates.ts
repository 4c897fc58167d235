import type { ReplyTemplate } from '../../model/reply-template.ts'
import type { WithInstants } from '../../runtime/instant.ts'

export type ReplyTemplateChange = WithInstants<
  Pick<ReplyTemplate, 'name' | 'text' | 'language' | 'updatedAt'>
>

/** Saved answers. Names are unique in an account; a taken one changes nothing. */
export type ReplyTemplateStorage = {
  /** False when the name is taken. Throws `LimitReached` when the account has `max`; the count is part of the commit. */
  readonly create: (template: WithInstants<ReplyTemplate>, max: number) => Promise<boolean>
  /** By name. */
  readonly list: (accountId: string) => Promise<ReplyTemplate[]>
  readonly replace: (
    accountId: string,
    id: string,
    change: ReplyTemplateChange,
  ) => Promise<'replaced' | 'missing' | 'taken'>
  /** False when the account has no such template. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>
}
