import { families } from './families.ts'
import { growthOf, LONG, RATIO_MAX } from './growth.ts'
import { READERS } from './readers.ts'

/**
 * Run by scaling.integration.test.ts in a separate process. Writes a line for each family before its measurement, to name one that
 * never ends, and a line for each reader with more than linear time.
 */

const only = process.argv[2]
for (const family of families()) {
  console.log(`family ${family.name}`)
  for (const reader of READERS) {
    if (only !== undefined && !reader.name.includes(only)) continue
    const ratio = await growthOf(
      reader.read,
      family.text(reader.chars),
      family.text(LONG * reader.chars),
      reader.floorMs,
    )
    if (ratio > RATIO_MAX)
      console.log(`slow ${reader.name}: ${ratio.toFixed(1)} times as long for ${LONG} times the text`)
  }
}
console.log('done')
