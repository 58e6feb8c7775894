declare const brand: unique symbol;

/** A value whose type carries what was proven about it. Only the module that proves it creates one. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
