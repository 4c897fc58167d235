/** People who sign in: name, address and password. Their accounts and roles are in `people` of the storage. */
export type User = { readonly id: string; readonly name: string; readonly email: string }
export type NewUser = { readonly name: string; readonly email: string; readonly password: string }

export type UserStore = {
  /** Null when the address belongs to a user already. */
  readonly createUser: (user: NewUser) => Promise<User | null>
  /** Deletes the user with password and sessions. */
  readonly removeUser: (userId: string) => Promise<void>
  readonly userByEmail: (email: string) => Promise<User | null>
  /** In any order; unknown ones are left out. */
  readonly users: (userIds: readonly string[]) => Promise<User[]>
}
