import { newId } from '../../model/ids.ts'
import { NAME_CHARS_MAX, TEMPLATE_CHARS_MAX } from '../../model/input-limits.ts'
import { fillTemplate, placeholderProblem, type ReplyTemplate } from '../../model/reply-template.ts'
import { knownLanguage } from '../../model/review-language.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReplyTemplateStorage } from '../../storage/port/reply-templates.ts'
import type { ReportStorage } from '../../storage/port/reports.ts'
import { OperationError } from '../error.ts'
import { requireText } from '../require-text.ts'
import { requireReview } from '../reviews/require-review.ts'

export type ReplyTemplateDeps = {
  readonly replyTemplates: ReplyTemplateStorage
  readonly reports: Pick<ReportStorage, 'review'>
  readonly clock: Clock
}

export type ReplyTemplateInput = {
  readonly name: string
  readonly text: string
  /** Null, absent or empty: for reviews in any language. */
  readonly language?: string | null | undefined
}

/** A template with the values of one review. */
export type FilledTemplate = ReplyTemplate & { readonly filled: string }

/** A menu with more is not usable. */
const TEMPLATES_MAX = 200

/** Saved answers with placeholders, to insert into answers to reviews. Nothing here is sent to a store. */
export function replyTemplateOperations({ replyTemplates, reports, clock }: ReplyTemplateDeps) {
  const missing = () => new OperationError('not_found', 'The account has no answer template with this id.')
  const taken = (name: string) =>
    new OperationError('conflict', `must be unique: the account has another template named “${name}”.`, {
      field: 'name',
    })
  return {
    /** By name. */
    list: (accountId: string): Promise<ReplyTemplate[]> => replyTemplates.list(accountId),

    /**
     * The templates with the values of a review: those in its language first, then those for any language, then the others. Throws
     * `not_found` for a review that the account does not see.
     */
    async fill(accountId: string, fingerprint: string): Promise<FilledTemplate[]> {
      const [review, templates] = await Promise.all([
        requireReview(reports, accountId, fingerprint),
        replyTemplates.list(accountId),
      ])
      const language = knownLanguage(review.enrichment)
      const rank = (template: ReplyTemplate) =>
        template.language === null ? 1 : template.language === language ? 0 : 2
      const values = { author: review.author, app_name: review.appName }
      return templates
        .toSorted((a, b) => rank(a) - rank(b))
        .map((template) => ({ ...template, filled: fillTemplate(template.text, values) }))
    },

    /** Throws `invalid`, and `conflict` for a taken name or above `TEMPLATES_MAX`. */
    async create(accountId: string, input: ReplyTemplateInput): Promise<ReplyTemplate> {
      const now = clock.now()
      const template = {
        id: newId('tpl'),
        accountId,
        ...requireValid(input),
        createdAt: now,
        updatedAt: now,
      }
      if (await replyTemplates.create(template, TEMPLATES_MAX)) return template
      throw taken(template.name)
    },

    /** Replaces all fields. Throws `invalid`, `not_found`, and `conflict` for a taken name. */
    async replace(accountId: string, id: string, input: ReplyTemplateInput): Promise<ReplyTemplate> {
      const change = { ...requireValid(input), updatedAt: clock.now() }
      const result = await replyTemplates.replace(accountId, id, change)
      if (result === 'taken') throw taken(change.name)
      const replaced = (await replyTemplates.list(accountId)).find((each) => each.id === id)
      if (result === 'missing' || replaced === undefined) throw missing()
      return replaced
    },

    /** Throws `not_found`. */
    async remove(accountId: string, id: string): Promise<void> {
      if (!(await replyTemplates.remove(accountId, id))) throw missing()
    },
  }
}

function requireValid(input: ReplyTemplateInput): Pick<ReplyTemplate, 'name' | 'text' | 'language'> {
  const name = requireText('name', input.name, NAME_CHARS_MAX)
  if (/\p{Cc}/u.test(input.name)) throw invalid('name', 'must be one line without control characters.')
  const text = requireText('text', input.text, TEMPLATE_CHARS_MAX)
  const problem = placeholderProblem(text)
  if (problem !== null) throw invalid('text', problem)
  const language = input.language ?? null
  if (language !== null && !/^[a-z]{2}$/.test(language)) {
    throw invalid('language', 'must be an ISO 639-1 code of two lowercase letters, such as en, or null.')
  }
  return { name, text, language }
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
