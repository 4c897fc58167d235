/** Writes heard.tsv anew: after a change to the examples, or to the tables of features, concepts or clues. */
import { writeFileSync } from 'node:fs'
import { formatHeard } from '../src/pipeline/enrich/offline/examples/heard.ts'
import { learnHeard } from '../src/pipeline/enrich/offline/examples/learn.ts'
import { HEARD_PATH } from '../src/pipeline/enrich/offline/examples/load.ts'
import { loadTables } from '../src/pipeline/enrich/offline/phrases/load.ts'

const tables = loadTables()
writeFileSync(HEARD_PATH, formatHeard(learnHeard(tables), tables.slugs))
