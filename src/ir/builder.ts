/** The only way to make an instruction; every method asks for a position first. */
export interface Builder { readonly placeholder: never }
