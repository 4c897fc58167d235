import { checkApi } from './check.ts'

/** `npm run test:openapi`: all examples of schemathesis, which takes some minutes. Arguments are those of `schemathesis run`. */
const checked = await checkApi(process.argv.slice(2))
if ('missing' in checked) throw new Error(checked.missing)
process.stdout.write(checked.output)
process.exitCode = checked.status
