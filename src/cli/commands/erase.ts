import { counted } from '../../model/counted.ts'
import { type ErasureTarget, eraseMatching } from '../../operations/reviews/erase.ts'
import { systemClock } from '../../runtime/clock.ts'
import { withOperations } from '../../service/operate.ts'
import { type Arguments, type Command, UsageError } from '../command.ts'
import { appOption } from '../remote/app-option.ts'
import { confirmed, YES_OPTION } from './confirmed.ts'

export const erase: Command = {
  about:
    'Erases the texts of reviews for good: the reviews with their analysis, their events with deliveries and attempts, and answers to them. Only fingerprints are kept, so that no poll stores or reports the reviews again. If it is interrupted, run it again to continue.',
  options: {
    review: { value: 'FINGERPRINT', help: 'One review, with the copies that accounts have of it.' },
    author: { value: 'STORE/NAME', help: 'All reviews of this author, e.g. apple/Jane.' },
    app: { value: 'STORE/ID', help: 'All stored reviews of this app, e.g. apple/310633997.' },
    yes: YES_OPTION,
  },
  async run(io, args) {
    const { target, what } = targetOf(args)
    const question = `Erase ${what} for all accounts of this installation? This cannot be undone.`
    if (!(await confirmed(io, args, question))) return 1
    await withOperations(io.environment, async ({ audit }, { erasures }) => {
      const deps = { erasures, audit, clock: systemClock }
      const { reviews, events } = await eraseMatching(deps, target, 'radar erase')
      io.out(`Erased: ${counted(reviews, 'review')}, ${counted(events, 'event')}.\n`)
    })
    return 0
  },
}

const FINGERPRINT = /^[0-9a-f]{64}$/

function targetOf(args: Arguments): {
  readonly target: ErasureTarget | { readonly fingerprint: string }
  readonly what: string
} {
  const [fingerprint, author] = [args.option('review'), args.option('author')]
  const app = appOption(args)
  if ([fingerprint, author, app].filter((each) => each !== undefined).length !== 1)
    throw new UsageError('Exactly one of --review, --author and --app is required.')
  if (app !== undefined)
    return { target: app, what: `all stored reviews of the app ${app.store}/${app.appId}` }
  if (fingerprint !== undefined) {
    if (!FINGERPRINT.test(fingerprint))
      throw new UsageError(`--review must be 64 lowercase hexadecimal digits, not "${fingerprint}".`)
    return { target: { fingerprint }, what: 'this review' }
  }
  const [, store, name = ''] = /^(apple|google)\/(.+)$/s.exec(author ?? '') ?? []
  if (store !== 'apple' && store !== 'google')
    throw new UsageError(`--author must be apple/NAME or google/NAME, not "${author}".`)
  return { target: { store, author: name }, what: `all reviews of the author "${name}"` }
}
