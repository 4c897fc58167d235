import type { World } from '../world.ts'
import { utcText } from './reply.ts'

/** The field of a published answer in the reviews of public pages; nothing without one. */
export function developerResponse(world: World, appId: string, reviewId: string, at: Date): object {
  const reply = world.official.reply({ store: 'apple', appId, reviewId })
  if (reply === null) return {}
  if (at.getTime() - reply.writtenAt.getTime() < world.official.settings().publishDelayMs) return {}
  return { developerResponse: { id: reply.id, body: reply.text, modified: utcText(reply.writtenAt) } }
}
