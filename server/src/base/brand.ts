declare const brand: unique symbol;

/** A value whose type carries what was proven about it; only the module that proves it makes one. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
