module shop

go 1.19

require kobo v0.0.0

replace kobo => ./kobo
