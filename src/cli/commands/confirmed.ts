import { type Arguments, type Io, type Option, UsageError } from '../command.ts'

export const YES_OPTION: Option = { help: 'Do not ask; for scripts.' }

/** Whether the user confirms `question`, by `--yes` or on the terminal. Throws `UsageError` without either. */
export async function confirmed(io: Io, args: Arguments, question: string): Promise<boolean> {
  if (args.isOn('yes')) return true
  const answer = await io.confirm(question)
  if (answer === null) {
    throw new UsageError(
      `"${question.replaceAll('\n', ' ')}" requires confirmation on a terminal, or the option --yes.`,
    )
  }
  if (!answer) io.err('Cancelled: nothing was changed.\n')
  return answer
}
