/** Every language with a code of two letters, by name. A function, because it takes tens of milliseconds that no page load should. */
export function languageOptions(): { readonly value: string; readonly label: string }[] {
  const known = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const options = letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const label = known.of(value)
      // Old codes have the name of the present one.
      const isPresent = Intl.getCanonicalLocales(value)[0] === value
      return label === undefined || !isPresent ? [] : [{ value, label }]
    })
  return options.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}
