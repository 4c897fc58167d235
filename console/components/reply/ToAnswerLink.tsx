import { useQuery } from '@tanstack/react-query'
import { toAnswerCountQuery } from '../../data/replies.ts'
import { queueTexts } from '../../messages/answers.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { number } from '../../util/numbers.ts'

/** Leads to the queue, with the number of reviews in it. */
export function ToAnswerLink() {
  const { data } = useQuery(toAnswerCountQuery)
  const count = data === undefined || data.count === 0 ? null : `${number(data.count)}${data.more ? '+' : ''}`
  return (
    <ButtonLink to="/to-answer" variant="default">
      {count === null ? queueTexts.title : queueTexts.open(count)}
    </ButtonLink>
  )
}
