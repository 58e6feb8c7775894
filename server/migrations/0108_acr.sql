-- Value of the claim `acr`: what the sign-in that the tokens came of amounted to. Null for older tokens, and where no user signed in.
alter table token_families add column acr text;
