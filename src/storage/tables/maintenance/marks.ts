import { get, type Work } from '../../work.ts'

/** The body of `MaintenanceStorage.getOrCreate`. */
export function* getOrCreate(name: string, value: string): Work<string> {
  const insert = `insert into marks (name, value) values (?1, ?2)
    on conflict (name) do update set value = marks.value returning value`
  return (yield* get<{ value: string }>(insert, name, value))?.value ?? value
}
