/** For the command: only the service sees an engine. */
export { restoreSqlite } from '../storage/sqlite/maintenance/restore.ts'
