import { configFrom } from '../../service/config/config.ts'
import { readTexts } from '../../service/config/env.ts'
import { settingsOf, settingsPage, shownSettings } from '../../service/config/show.ts'
import type { Command } from '../command.ts'
import { JSON_OPTION, jsonLines } from '../table.ts'

export const showConfig: Command = {
  about:
    'Prints the effective settings and their sources, with secrets masked. Fails when a setting is invalid.',
  options: {
    markdown: { help: 'Print the table of all settings for docs/reference/settings.md instead.' },
    json: JSON_OPTION,
  },
  async run({ environment, out }, args) {
    if (args.isOn('markdown')) {
      out(settingsPage())
      return 0
    }
    const texts = readTexts(environment)
    out(args.isOn('json') ? jsonLines(settingsOf(texts.texts)) : shownSettings(texts))
    configFrom(texts)
    return 0
  },
}
