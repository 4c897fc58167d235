import { configFrom } from '../../service/config/config.ts'
import { readTexts } from '../../service/config/env.ts'
import { settingsPage, shownSettings } from '../../service/config/show.ts'
import type { Command } from '../command.ts'

export const showConfig: Command = {
  about:
    'Prints the effective settings and their sources, with secrets masked. Fails when a setting is invalid.',
  options: { markdown: { help: 'Print the table of all settings for docs/reference/settings.md instead.' } },
  async run({ environment, out }, args) {
    if (args.isOn('markdown')) {
      out(settingsPage())
      return 0
    }
    const texts = readTexts(environment)
    out(shownSettings(texts))
    configFrom(texts)
    return 0
  },
}
