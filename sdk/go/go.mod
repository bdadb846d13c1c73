module kobo

go 1.19
